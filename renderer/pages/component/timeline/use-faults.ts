// The faults of the keys in a timeline: which one is selected, and how it and all similar ones are fixed.
import { computed, ref } from 'vue'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import type { SheetView } from '../sheet/use-sheet-view.ts'
import { faultsOf, repairChange, type Fault } from './faults.ts'

export interface FaultDeps {
  view: SheetView
  entrySet: () => EntrySet
  keys: () => readonly (string | null)[]
  /** Keys of the set that have a finding with a code. */
  keysWith: (code: string) => readonly (string | null)[]
  /** Brings the first day of a fault into view. */
  reveal(fault: Fault): void
}

export function useFaults({ view, entrySet, keys, keysWith, reveal }: FaultDeps) {
  const { sheet, changes } = view.open
  const index = ref(0)
  const faults = computed(() => (void changes.value, faultsOf(sheet, entrySet(), keys())))
  const selected = computed(() => faults.value[Math.min(index.value, faults.value.length - 1)] ?? null)

  function fix(choice: string, values?: Record<string, string>): void {
    const fault = selected.value
    if (fault === null) return
    const filled = values && Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''))
    view.change('repair', repairChange(sheet, entrySet(), [fault], choice, filled), fault.earlier)
    view.setStatus('Fixed; draft saved.', 'repair')
  }

  /** Fixes every fault of the set with this code that can be fixed in the same way. */
  function fixAll(choice: string): void {
    const code = selected.value?.finding.code ?? ''
    const alike = faultsOf(sheet, entrySet(), keysWith(code)).filter(
      ({ finding }) => finding.code === code && finding.repairs?.some((repair) => repair.choice === choice),
    )
    view.change('repair', repairChange(sheet, entrySet(), alike, choice))
    view.setStatus(`${alike.length} fixed the same way; drafts saved.`, 'repair')
  }

  function select(fault: Fault): void {
    index.value = faults.value.indexOf(fault)
  }

  function selectFirst(): void {
    index.value = 0
  }

  function selectNext(by: 1 | -1): void {
    index.value = (index.value + by + faults.value.length) % faults.value.length
    reveal(selected.value!)
  }

  return { faults, selected, fix, fixAll, select, selectFirst, selectNext }
}
