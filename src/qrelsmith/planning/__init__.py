"""Planning of campaigns before they are paid for, and the simulations on which plans are based."""
