"""One server of several campaigns: accounts, the list of campaigns, requests passed on to each."""
