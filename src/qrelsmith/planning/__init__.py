"""Planning of campaigns before they are paid for, and the simulations behind it."""
