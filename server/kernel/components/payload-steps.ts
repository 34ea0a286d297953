// The names of a payload: `amount` is a member, `/sum/net` is a JSON pointer to a member of a member.

export function payloadSteps(name: string): string[] {
  if (!name.startsWith('/')) return [name]
  return name
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
