"""Draws reward curves of reinforce.py as SVG: python3 curve.py "title=rewards.csv" … > curve.svg"""
import csv
import sys

WIDTH, HEIGHT, LEFT, TOP = 640, 220, 48, 34
WINDOW = 9


def panel(title, path, top):
    rows = [(float(r["episode"]), float(r["reward"])) for r in csv.DictReader(open(path))]
    last = rows[-1][0]
    smooth = [(at, sum(r for _, r in rows[max(0, i - WINDOW) : i + WINDOW + 1]) / len(rows[max(0, i - WINDOW) : i + WINDOW + 1])) for i, (at, _) in enumerate(rows)]
    x = lambda at: LEFT + (WIDTH - LEFT - 16) * at / last
    y = lambda reward: top + TOP + (HEIGHT - TOP - 30) * (1 - reward)
    line = lambda points: " ".join(f"{x(a):.1f},{y(r):.1f}" for a, r in points)
    grid = "".join(f'<line x1="{LEFT}" x2="{WIDTH - 16}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v}</text>' for v in (0, 0.5, 1))
    return f"""<text x="{LEFT}" y="{top + 20}" font-weight="bold">{title}</text>{grid}
<polyline points="{line(rows)}" fill="none" stroke="#b8cde8"/><polyline points="{line(smooth)}" fill="none" stroke="#1f5fa8" stroke-width="2"/>
<text x="{WIDTH - 16}" y="{top + HEIGHT - 8}" text-anchor="end">{int(last):,} episodes</text>"""


parts = [argument.split("=", 1) for argument in sys.argv[1:]]
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(parts)}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>')
for i, (title, path) in enumerate(parts):
    print(panel(title, path, i * HEIGHT))
print("</svg>")
