"""The read path's stages: plan, search, fuse, reflect, answer."""
