// Scope kinds, most specific first, and their binding class (docs/reference/resolution-and-dates.md).

export const scopeKinds = ['user', 'permission_set', 'locale', 'app', 'environment', 'org'] as const
export type ScopeKind = (typeof scopeKinds)[number]

export const viewerDependent = {
  user: true,
  permission_set: true,
  locale: true,
  app: false,
  environment: false,
  org: false,
} as const satisfies Record<ScopeKind, boolean>

export type Scope =
  | { kind: 'org' }
  | { kind: 'environment'; environment: string }
  | { kind: 'app'; app: string }
  | { kind: 'locale'; locale: string }
  | { kind: 'permission_set'; permissionSet: string }
  | { kind: 'user'; user: string }

/** Returns the name in a scope object: `prod` of `{kind:"environment", environment:"prod"}`; empty for org. */
export function scopeName(scope: Scope): string {
  switch (scope.kind) {
    case 'org':
      return ''
    case 'environment':
      return scope.environment
    case 'app':
      return scope.app
    case 'locale':
      return scope.locale
    case 'permission_set':
      return scope.permissionSet
    case 'user':
      return scope.user
  }
}

/** The property with the name, by kind; org has none. */
export const scopeProperty = {
  user: 'user',
  permission_set: 'permissionSet',
  locale: 'locale',
  app: 'app',
  environment: 'environment',
  org: null,
} as const satisfies Record<ScopeKind, string | null>

/** Returns the text of a scope, e.g. `environment=prod`, `org`; equal if and only if the scopes are equal. */
export function scopeText(scope: Scope): string {
  return scope.kind === 'org' ? 'org' : `${scope.kind}=${scopeName(scope)}`
}

/** Reads `org`, `environment=test`, `app, catering`; null if the text is not a scope. */
export function parseScope(text: string): Scope | null {
  if (text.trim().toLowerCase() === 'org') return { kind: 'org' }
  const match = /^([a-z][a-z_ ]*?)\s*[=,:]\s*(.+)$/is.exec(text.trim())
  const kind = match?.[1]!.toLowerCase().replaceAll(' ', '_') as ScopeKind | undefined
  const property = kind === undefined || !scopeKinds.includes(kind) ? null : scopeProperty[kind]
  return property === null ? null : ({ kind, [property]: match![2]!.trim() } as unknown as Scope)
}

/** Returns the chain in resolution order, without duplicates (docs/reference/resolution-and-dates.md). */
export function sortScopeKinds(kinds: readonly ScopeKind[]): ScopeKind[] {
  return scopeKinds.filter((kind) => kinds.includes(kind))
}

/** The scopes of a viewer (docs/reference/resolution-and-dates.md). `permission_set` contains every permission set of the viewer. */
export interface ScopePath {
  user?: string
  permission_set?: string[]
  locale?: string
  app?: string
  environment?: string
}
