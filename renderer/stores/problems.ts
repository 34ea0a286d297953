// Findings of the active generation with the drafts over it: those that the server reports, and those of edits in open
// sheets that it has not reported.
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef, type ComputedRef } from 'vue'
import { fetchProblems } from '../api/org.ts'
import { loadFailureMessage } from '../api/request.ts'
import type { Finding } from '../api/wire.ts'

export const useProblems = defineStore('problems', () => {
  const reported = shallowRef<Finding[]>([])
  const sources = shallowReactive(new Set<ComputedRef<readonly Finding[]>>())
  const findings = computed(() => {
    const unreported = [...sources].flatMap((source) => source.value)
    // Two panes can show the same sheet.
    const distinct = new Map(unreported.map((each) => [JSON.stringify(each), each]))
    return [...reported.value, ...distinct.values()]
  })
  const failure = ref('')
  const ready = ref(false)

  async function load(): Promise<void> {
    try {
      reported.value = await fetchProblems()
      failure.value = ''
    } catch (error) {
      failure.value = loadFailureMessage(error)
    }
    ready.value = true
  }

  const errors = computed(() => findings.value.filter(({ severity }) => severity === 'error').length)
  const warnings = computed(() => findings.value.filter(({ severity }) => severity === 'warning').length)
  /** The worst severity of a component, by id. */
  const worst = computed(() => {
    const severityById = new Map<string, Finding['severity']>()
    for (const { component, severity } of findings.value)
      if (severityById.get(component) !== 'error' && (severity !== 'info' || !severityById.has(component)))
        severityById.set(component, severity)
    return severityById
  })
  /** How many components have an error. */
  const invalid = computed(() => [...worst.value.values()].filter((each) => each === 'error').length)
  const of = (id: string): Finding[] => findings.value.filter(({ component }) => component === id)
  /** Findings of other components that name this one, such as a gap before its first day. */
  const naming = (id: string): Finding[] =>
    findings.value.filter(
      ({ component, related }) => component !== id && related.some((place) => place.component === id),
    )
  /** Findings of a set: its own and those of its entries. */
  const ofSet = (set: string): Finding[] =>
    findings.value.filter(
      ({ component }) => component === `config_set/${set}` || component.startsWith(`config_entry/${set}.`),
    )

  /** Adds findings that the server has not reported. Returns a function that removes them. */
  function addUnreported(source: ComputedRef<readonly Finding[]>): () => void {
    sources.add(source)
    return () => void sources.delete(source)
  }

  return {
    ...{ findings, reported, failure, ready, errors, warnings, worst, invalid },
    ...{ of, naming, ofSet, load, addUnreported },
  }
})
