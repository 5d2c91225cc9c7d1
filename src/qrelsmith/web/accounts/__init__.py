"""Who may do what: roles, invites, logging in, sessions."""
