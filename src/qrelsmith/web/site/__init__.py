"""The front page, scripts and styles, parameters, refusals and errors of all pages."""
