"""Scripts and styles, parameters, headers and errors of all pages."""
