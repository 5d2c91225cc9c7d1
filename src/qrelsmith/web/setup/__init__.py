"""New campaigns from the browser: drafts, their pages, and the campaign folder they become."""
