// The list of values below a cell's editor: members of a value set, scopes, yes and no, names of credentials.
import { computed, type ComputedRef, type Ref } from 'vue'
import { valuesByKey } from '#kernel/components/value-set/members.ts'
import type { ScopeKind } from '#kernel/components/scopes.ts'
import { useCatalogue } from '../../../stores/catalogue.ts'
import { useOrg } from '../../../stores/org.ts'
import type { CellContext } from './cell-text.ts'
import type { SheetColumn } from './columns.ts'

export interface SheetOffer {
  value: string
  label: string
}

export function useOffers(
  column: SheetColumn,
  context: Readonly<Ref<CellContext>>,
): ComputedRef<SheetOffer[]> {
  const catalogue = useCatalogue()
  const org = useOrg()

  const membersOf = (key: string): SheetOffer[] => {
    const set = context.value.valueSet(key)
    if (set === undefined) return []
    const all = [...valuesByKey(set).values()]
    const isUnique = (label: string): boolean => all.filter((each) => each.label === label).length === 1
    return all
      .filter(({ active }) => active)
      .map(({ key: value, label }) =>
        context.value.offersLabels && isUnique(label) ? { value: label, label: '' } : { value, label },
      )
  }

  function scopes(kind: ScopeKind): SheetOffer[] {
    const toOffers = (names: readonly { key: string; label: string }[]): SheetOffer[] =>
      names.map(({ key, label }) => ({ value: `${kind.replace('_', ' ')}, ${key}`, label }))
    switch (kind) {
      case 'org':
        return [{ value: 'org', label: 'everyone' }]
      case 'app':
        return toOffers(catalogue.list('app'))
      case 'permission_set':
        return toOffers(catalogue.list('permission_set'))
      case 'user':
        return toOffers(catalogue.people().users.map(({ key, name }) => ({ key, label: name })))
      case 'environment':
        return toOffers(
          [...new Set([org.org?.environment ?? '', 'dev', 'test', 'prod'])]
            .filter(Boolean)
            .map((key) => ({ key, label: '' })),
        )
      case 'locale':
        return []
    }
  }

  return computed(() => {
    switch (column.type) {
      case 'boolean':
        return [
          { value: 'yes', label: '' },
          { value: 'no', label: '' },
        ]
      case 'enum':
        return column.valueSet === undefined ? [] : membersOf(column.valueSet)
      case 'credential_reference':
        return [...catalogue.list('named_credential'), ...catalogue.list('external_credential')].map(
          ({ key, label }) => ({ value: key, label }),
        )
      case 'scope':
        return [...context.value.scopes].sort((a) => (a === 'org' ? -1 : 1)).flatMap(scopes)
      default:
        return []
    }
  })
}
