"""What a person looks at: pictures, summaries, pages."""
