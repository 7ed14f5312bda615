"""The database behind the tools: where it lies, what is in it, and how it is read and changed."""
