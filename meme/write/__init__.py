"""The write path's stages: windows, extract, reconcile."""
