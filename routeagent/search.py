"""The two stages joined: a request goes in, scored namespaces and scored tools come out."""
