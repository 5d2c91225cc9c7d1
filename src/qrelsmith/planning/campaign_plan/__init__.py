"""Plans of a campaign before it is paid for: costs of designs, and quality of their rankings.

`plan_design`, `grid`: the planned designs. `trials`, `outcome`: repeated simulations of the
designs. `summary`, `recommendation`, `plan_report`: the results. `judged_runs`, `moments`, `fit`,
`calibration`: comparison of the simulator with an existing collection.
"""
