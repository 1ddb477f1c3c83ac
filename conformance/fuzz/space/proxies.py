"""Runs the published proxy agents."""
import random
import sys

import published
from driver import serve

published.load(sys.argv[1])

from vagen.env.spatial.Base.tos_base.managers.agent_proxy import get_agent_proxy  # noqa: E402


def run(case):
    random.seed(0)
    proxy = get_agent_proxy(case["proxy"], published.room_of(case["state"]), published.agent_of(case["state"]))
    proxy.run()
    summary = proxy.mgr.get_exp_summary()
    return {
        "history": proxy.to_text(),
        "cost": summary["action_cost"],
        "nodes": summary["node_coverage"],
        "edges": summary["edge_coverage"],
    }


serve(run)
