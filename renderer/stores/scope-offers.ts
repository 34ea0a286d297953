// The names to choose from for each kind of scope, for pickers.
import type { ScopeKind } from '#kernel/components/scopes.ts'
import { useCatalogue } from './catalogue.ts'
import { useOrg } from './org.ts'

/** Names of a kind; empty for org, and for locale, which is typed. */
export function useScopeOffers(): (kind: ScopeKind) => { value: string; label?: string }[] {
  const catalogue = useCatalogue()
  const org = useOrg()
  return (kind) => {
    switch (kind) {
      case 'user':
        return catalogue.people().users.map(({ key, name }) => ({ value: key, label: name }))
      case 'permission_set':
      case 'app':
        return catalogue.list(kind).map(({ key, label }) => ({ value: key, label }))
      case 'environment':
        return [...new Set([org.org?.environment ?? '', 'dev', 'test', 'prod'])]
          .filter(Boolean)
          .map((value) => ({ value }))
      case 'locale':
      case 'org':
        return []
    }
  }
}
