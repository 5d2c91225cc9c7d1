"""Static files, parameters, headers and errors of all pages."""
