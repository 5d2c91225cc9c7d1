"""What a command answers with: one question about a user's files, one file, a table at the end.

An analysis reads what `data` made of the files, calls the core and names the columns. The command
line, the audit and the studies call it alike, so that a paper's artefact is made by what a user's
own data would go through.
"""
