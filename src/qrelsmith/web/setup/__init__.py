"""Creation of campaigns in the browser: drafts, their pages, and the resulting campaign folder."""
