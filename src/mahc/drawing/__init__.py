"""What a person looks at: summaries, pictures, pages."""
