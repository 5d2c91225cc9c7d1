"""Valid conclusions from few human labels: sampling of docs, estimates and intervals."""
