"""What the code itself knows about text: words, names, dates, English sentences. Pure, no models."""
