"""What an audit finds out about a campaign; `report` shows it."""
