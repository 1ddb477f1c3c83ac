import { DARK, LIGHT, themeVariables } from '../figures/draw/theme.ts'

/** Colors meet WCAG AA in light and dark mode; figures tell series apart by shape, never by color alone. */
export const STYLE = `
:root{--ground:#fbfaf8;--paper:#fff;--ink:#1d1f23;--soft:#5b616b;--line:#e3e1dc;--accent:#1d4f86;${themeVariables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--paper:#1c1f25;--ink:#e9eaec;--soft:#a3a9b4;--line:#31353d;--accent:#9cc6f2;${themeVariables(DARK)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums}
main{max-width:min(96vw,1400px);margin:0 auto;padding:2.5rem 1.25rem 4rem}
.suite+.suite{margin-top:4rem;padding-top:3rem;border-top:1px solid var(--line)}
h1{font-size:1.7rem;line-height:1.2;margin:0;letter-spacing:-.01em}
.subtitle{margin:.35rem 0 1.5rem;color:var(--soft)}
.cards{display:flex;flex-wrap:wrap;gap:1rem;margin-bottom:2rem}
.card{flex:1 1 240px;max-width:360px;background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1rem 1.15rem}
.card h2{font-size:.95rem;margin:0;overflow-wrap:anywhere;font-weight:600}
.card .score{margin:.35rem 0 0;display:flex;align-items:baseline;gap:.6rem}
.card .value{font-size:2.2rem;font-weight:650;letter-spacing:-.02em;line-height:1.15}
.card .range{color:var(--soft)}
.card .what{margin:0 0 .75rem;color:var(--soft);font-size:.87rem}
.card dl{margin:0;display:flex;gap:1.25rem;font-size:.85rem}
dt{color:var(--soft);font-size:.78rem}
dd{margin:0}
.scroll{overflow-x:auto;background:var(--paper);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%}
th,td{padding:.38rem .9rem;line-height:1.3;text-align:right;vertical-align:middle;white-space:nowrap}
th[scope=row]{text-align:left;font-weight:400;white-space:normal;min-width:11rem}
thead th{font-size:.8rem;color:var(--soft);font-weight:600;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
tbody tr+tr th,tbody tr+tr td{border-top:1px solid var(--line)}
tr.section th{text-align:left;font-size:.8rem;font-weight:600;color:var(--soft);padding-top:1.2rem;border-top:1px solid var(--line);text-transform:none}
tr.headline th{font-weight:650}
table.models thead th{white-space:normal;vertical-align:bottom}
table.models th[scope=row]{position:sticky;left:0;background:var(--paper);overflow-wrap:anywhere}
td.score span{display:block}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem;margin-top:1rem;align-items:start}
.figures figure{margin:0;background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:1rem;min-width:0}
.figures figcaption{font-size:.87rem;font-weight:600;margin-bottom:.5rem}
.figures svg{display:block;max-width:100%;height:auto}
.notes{list-style:none;margin:1.2rem .2rem;padding:0;color:var(--soft);font-size:.87rem}
.mark{color:var(--accent)}
details{margin:.6rem .2rem;font-size:.87rem}
summary{cursor:pointer;color:var(--accent);overflow-wrap:anywhere}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
details dl{display:grid;gap:.25rem;margin:.8rem 0}
details dl div{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:1rem}
details dd{overflow-wrap:anywhere;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.82rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{body{background:#fff}.scroll,.card{border-color:#ccc}details{display:none}}
`
