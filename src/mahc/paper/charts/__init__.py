"""Small charts in SVG."""
