// The names of a payload: `amount` is a member, `/sum/net` is a JSON pointer to a member of a member.

export function payloadSteps(name: string): string[] {
  if (!name.startsWith('/')) return [name]
  return name
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The object of the members, in their order: `/customer/name` is a member of a member. */
export function payloadOf(
  members: readonly (readonly [name: string, value: unknown])[],
): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const [name, value] of members) {
    const steps = payloadSteps(name)
    let at = payload
    for (const step of steps.slice(0, -1)) {
      const inner = Object.hasOwn(at, step) ? at[step] : undefined
      const next = isObject(inner) ? inner : {}
      defineMember(at, step, next)
      at = next
    }
    defineMember(at, steps.at(-1)!, value)
  }
  return payload
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Also for a name such as `__proto__`. */
export function defineMember(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
