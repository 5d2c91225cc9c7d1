"""What every page has: the front page, scripts and styles, parameters, refusals, errors."""
