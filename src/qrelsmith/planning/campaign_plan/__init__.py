"""Plan a campaign before it is paid for: what designs cost, how well they rank the systems.

`plan_design`, `grid`: what is planned. `trials`, `outcome`: designs drawn again and again.
`summary`, `recommendation`, `plan_report`: what comes of it. `judged_runs`, `moments`, `fit`,
`calibration`: the simulator held against a collection that exists.
"""
