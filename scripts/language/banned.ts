/** Turns of phrase that slow readers down, each with what to write instead. Checked over help, messages, comments and docs. */

export interface Banned {
  pattern: RegExp
  better: string
}

/** "30 frames a second" is English; "ms an episode" is not, and one form for all is simpler. */
const COUNTED =
  'ms|seconds|bytes|frames|pictures|images|videos|samples|episodes|triangles|texels|numbers|requests|tokens|lines|files|times|rows|clips|questions|threads'
const UNITS =
  'second|minute|prompt|episode|sample|scene|run|video|frame|picture|image|pixel|core|slot|file|model|triangle'

export const BANNED: readonly Banned[] = [
  { pattern: /\bgo(es|ing)? on with\b/i, better: 'resume, continue' },
  { pattern: /\b(what|that|which) (can )?go(es)? on\b/i, better: 'resumable, in progress' },
  { pattern: /\bthe same command goes on\b/i, better: 'run the same command to continue' },
  {
    pattern:
      /(?<!\b(?:there|what|this|it) )\b(is|are) no (?!longer|more|less|different|better|worse|one\b|such|reason)[a-z]+\b(?! left)/i,
    better: 'X is not a Y',
  },
  { pattern: /\bis not right\b/i, better: 'invalid X: …' },
  {
    pattern: /\b(told|said|says|explained) in (a|one) sentence\b|\bwith a sentence\b/i,
    better: 'prints a clear error',
  },
  { pattern: /\bsays in words\b|\btold in words\b/i, better: 'prints a clear error' },
  { pattern: /\bwhat there is\b|\bwhat is there\b/i, better: 'available …' },
  { pattern: /\bhas and lacks\b/i, better: 'checks …' },
  { pattern: /\bwhoever\b|\bwho knows\b/i, better: 'name it: the viewer, the reader' },
  { pattern: new RegExp(`\\b(${COUNTED}) an? (${UNITS})\\b`), better: '… per …' },
  { pattern: /\bone (a|an) (core|file|scene|sample|episode)\b/i, better: 'one per …' },
  { pattern: /\bnever (many )?more (requests|tokens)\b/i, better: 'maximum … per minute' },
  { pattern: /\btaken for dead\b|\bfor so long\b/i, better: 'seconds without a heartbeat before … counts as dead' },
  { pattern: /\bbeginnings? of (an )?ids?\b/i, better: 'unique id prefix' },
  { pattern: /\bthat nobody will resume\b/i, better: 'abandoned' },
  { pattern: /\bis played by what makes\b|\bwhat makes (videos|pictures|texts?)\b/i, better: 'video generator, …' },
  { pattern: /\bcannot be kept\b/i, better: 'cannot enforce, cannot store' },
  { pattern: /\bnothing is wrong with\b/i, better: 'no problems found' },
  { pattern: /\bnot yours to\b|\bit may not be (read|written)\b/i, better: 'permission denied, not writable' },
  { pattern: /\bnobody plays\b/i, better: 'no such session' },
  { pattern: /\bgladly\b|\bend of patience\b|\bsound scene\b/i, better: 'say it plainly' },
  { pattern: /\bgo over what\b/i, better: 'override' },
  { pattern: /\bthe way of the data\b|\bwhat dies\b/i, better: 'data flow, failure modes' },
  { pattern: /\bunder way\b/i, better: 'in flight, running, concurrent' },
  { pattern: /\bcomes? home\b/i, better: 'finish, return' },
  { pattern: /\bdata sets?\b/i, better: 'dataset' },
  { pattern: /\btime-outs?\b/i, better: 'timeout' },
  { pattern: /\bon (a|the) telephone\b/i, better: 'phone' },
  { pattern: /\bdoll'?s[- ]house\b|\bdoll-house\b/i, better: 'dollhouse' },
  { pattern: /\bbuilt-in players?\b/i, better: 'baseline' },
  { pattern: /\bas good as none\b/i, better: 'ignored' },
  { pattern: /\bthinkable\b|\bnowadays\b/i, better: 'say it plainly' },
  {
    pattern: /\bkase\b|\bSurroundings\b|\bManner\b|\bwithPatience\b|\bwhyUnreadable\b|\bwithoutStop\b/,
    better: 'see the glossary in docs/architecture.md',
  },
  { pattern: /\bmend(s|ed|ing)?\b/i, better: 'fix' },
  { pattern: /\btaken for\b/i, better: 'counts as' },
  { pattern: /\b(made|drawn|worded) anew\b|\bafresh\b/i, better: '… again' },
  { pattern: /\bwhat it took\b/i, better: 'cost' },
  {
    pattern: /\brefused in words\b|\bcannot both be meant\b/i,
    better: 'rejects … with a clear error, cannot be combined',
  },
  { pattern: /\bheld against\b/i, better: 'compared with' },
  { pattern: /\bgiven out\b/i, better: 'queued' },
  { pattern: /\bnot there any more\b/i, better: 'no longer exists' },
  { pattern: /\bto the letter\b/i, better: 'exactly' },
  { pattern: /\bspelt\b|\bsub-folders?\b|\bcounter-clockwise\b/i, better: 'spelled, subfolder, counterclockwise' },
  { pattern: /\b95 %/, better: '95%' },
]
