/** Atomic operations on Redis, as Lua scripts. They use the clock of the server, because the clocks of workers differ. */

const NOW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`

/** KEYS: lead. ARGV: holder, milliseconds. */
export const LEAD = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`

/**
 * KEYS: reservations (hash: sha256 → bytes:until:complete), used bytes. ARGV: sha256, bytes, quota, claim ms, keep ms.
 * Expired reservations are removed only when the quota is exceeded.
 */
export const RESERVE = `${NOW}
local function place(text)
  local bytes, till, whole = string.match(text, '^(%d+):(%d+):(%d)$')
  return tonumber(bytes), tonumber(till), whole == '1'
end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  local bytes, till, whole = place(known)
  if whole then return 'there' end
  if till > now then return 'busy' end
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('DECRBY', KEYS[2], bytes)
end
local bytes = tonumber(ARGV[2])
local used = tonumber(redis.call('GET', KEYS[2]) or '0')
if used > 0 and used + bytes > tonumber(ARGV[3]) then
  used = 0
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    local size, till, whole = place(all[i + 1])
    if not whole and till <= now then redis.call('HDEL', KEYS[1], all[i]) else used = used + size end
  end
  redis.call('SET', KEYS[2], used, 'PX', ARGV[5])
  if used > 0 and used + bytes > tonumber(ARGV[3]) then return 'full' end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. (now + ARGV[4]) .. ':0')
redis.call('INCRBY', KEYS[2], bytes)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 'go'
`

/** KEYS: reservations. ARGV: sha256. */
export const COMPLETE = `
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then redis.call('HSET', KEYS[1], ARGV[1], (string.gsub(known, ':%d$', ':1'))) end
return 1
`

/** KEYS: reservations, used bytes, chunks. ARGV: sha256. */
export const RELEASE = `
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('DECRBY', KEYS[2], (string.match(known, '^%d+')))
end
return 1
`

const ADD_SPENT = `
if ARGV[1] == '' then redis.call('HSET', KEYS[1], 'unpriced', 1)
else redis.call('HINCRBYFLOAT', KEYS[1], 'usd', ARGV[1]) end
redis.call('HINCRBYFLOAT', KEYS[1], 'tokens', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`

/**
 * KEYS: spent (hash). ARGV: dollars or '', tokens, keep ms, payer, number. A usage without a price makes the sum unknown.
 * The hash also has the last number of each payer.
 */
export const SPEND = `
local payer = 'payer:' .. ARGV[4]
if tonumber(redis.call('HGET', KEYS[1], payer) or '0') >= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], payer, ARGV[5])
${ADD_SPENT}`

/** The same for what was spent before, only once. */
export const START_SPENDING = `
if redis.call('HSETNX', KEYS[1], 'started', 1) == 0 then return 0 end
${ADD_SPENT}`

/**
 * KEYS: leases (sorted by expiry), rate (hash). ARGV: lease, lease ms, connections, request interval and burst, token
 * interval and burst, tokens. Returns -1 if the slot is granted, otherwise the milliseconds to wait (0: unknown).
 */
export const ACQUIRE_SLOT = `${NOW}
local paused = tonumber(redis.call('HGET', KEYS[2], 'paused') or '0')
if paused > now then return math.ceil(paused - now) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return -1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
local requests = math.max(tonumber(redis.call('HGET', KEYS[2], 'requests') or '0'), now)
local tokens = math.max(tonumber(redis.call('HGET', KEYS[2], 'tokens') or '0'), now)
local wait = math.max(requests - now - ARGV[5], tokens - now - ARGV[7])
if wait > 0 then return math.ceil(wait) end
if tonumber(ARGV[4]) > 0 then redis.call('HSET', KEYS[2], 'requests', string.format('%.3f', requests + ARGV[4])) end
if tonumber(ARGV[6]) > 0 then
  redis.call('HSET', KEYS[2], 'tokens', string.format('%.3f', tokens + ARGV[6] * ARGV[8]))
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 600000)
redis.call('PEXPIRE', KEYS[2], 600000)
return -1
`

/** KEYS: leases. ARGV: lease ms, leases. */
export const RENEW_SLOTS = `${NOW}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], 600000)
return 1
`

/** KEYS: leases, rate. ARGV: lease, token interval, tokens, pause ms. */
export const RELEASE_SLOT = `${NOW}
local was = redis.call('ZREM', KEYS[1], ARGV[1])
if tonumber(ARGV[2]) > 0 and was == 1 then
  local tokens = math.max(tonumber(redis.call('HGET', KEYS[2], 'tokens') or '0'), now)
  redis.call('HSET', KEYS[2], 'tokens', string.format('%.3f', tokens + ARGV[2] * ARGV[3]))
end
local pause = now + ARGV[4]
if tonumber(ARGV[4]) > 0 and pause > tonumber(redis.call('HGET', KEYS[2], 'paused') or '0') then
  redis.call('HSET', KEYS[2], 'paused', pause)
end
redis.call('PEXPIRE', KEYS[2], 600000)
return 1
`
