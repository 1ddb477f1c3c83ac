import { UserError } from '../../base/errors.ts'
import { type Role, ROLES } from '../../models/types.ts'

/** Models by role from `--model-role judge=openai/gpt-5.2`; these override the config. */
export function rolesOf(
  pairs: readonly string[],
  configured: Readonly<Record<string, string>>,
): Partial<Record<Exclude<Role, 'player'>, string>> {
  const typed = pairs.map((pair) => {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new UserError(`Invalid --model-role "${pair}". Use role=provider/name.`)
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const
  })
  const roles: Record<string, string> = { ...configured, ...Object.fromEntries(typed) }
  for (const role of Object.keys(roles)) {
    if (!(ROLES as readonly string[]).includes(role)) {
      throw new UserError(`Unknown role "${role}".`, { hint: `Roles: ${ROLES.join(', ')}.` })
    }
  }
  return roles
}
