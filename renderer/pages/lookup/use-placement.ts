// The placement that is edited: a section of a stored layout, in the layout's own document, or a separate section.
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { pointer } from '#kernel/components/pointer.ts'
import type { LookupInput } from '#kernel/components/placeable-elements.ts'
import type { Finding } from '../../api/wire.ts'
import type { Document } from '../../stores/document.ts'
import { findingsOf } from '../../stores/document-findings.ts'
import { useDocuments } from '../../stores/documents.ts'
import { asText } from '../../widgets/widget.ts'
import { checkSection, idsOf, inputsAt, itemIds, lookupItems, textFindings } from './placement.ts'
import type { InputValue } from './shown-field.ts'
import { useListPosition } from './use-list-position.ts'
import { useOwnSection } from './use-own-section.ts'

export interface PlacementLocation {
  view: 'field' | 'placement'
  /** Key of a stored layout; empty for a separate section. */
  layout: string
  section: number
}

export function placeFrom({ view, layout, section }: Record<string, unknown>): PlacementLocation {
  return {
    view: view === 'placement' ? 'placement' : 'field',
    layout: typeof layout === 'string' ? layout : '',
    // Any number of digits: a section that does not exist is reported, and not mistaken for the first.
    section: /^\d+$/.test(String(section)) ? Math.min(Number(section), Number.MAX_SAFE_INTEGER - 1) : 0,
  }
}
export const placeQuery = ({ view, layout, section }: PlacementLocation): Record<string, string> => ({
  ...(view === 'field' ? {} : { view }),
  ...(layout === '' ? {} : { layout, section: String(section) }),
})

export const usePlacement = defineStore('lookup-placement', () => {
  const documents = useDocuments()
  const own = useOwnSection()
  const view = ref<PlacementLocation['view']>('field')
  /** Whether the URL was read; the controls would set something else before. */
  const located = ref(false)
  const layout = ref('')

  const document = computed<Document | null>(() =>
    layout.value === '' ? null : documents.of('layout', layout.value),
  )
  const sections = computed((): unknown[] => {
    const found = document.value?.body.sections
    return Array.isArray(found) ? found : []
  })
  const ids = computed(() => idsOf(sections.value))
  const section = useListPosition(() => ({ of: layout.value, ids: ids.value }))
  const isSectionPresent = computed(() => document.value === null || section.there.value)
  /** The place of the section in the text, which is its own or the layout's. */
  const at = computed(() => (document.value === null ? [] : ['body', 'sections', section.at.value]))
  const value = computed(() =>
    document.value === null
      ? own.value
      : isSectionPresent.value && !document.value.unreadable
        ? sections.value[section.at.value]
        : undefined,
  )
  const text = computed(() => document.value?.text ?? own.text)
  const fault = computed(() => (document.value === null ? own.fault : document.value.fault))
  const object = computed(() => asText(document.value?.body.object) || 'object')

  const checked = computed(() =>
    isSectionPresent.value && fault.value === null
      ? checkSection(value.value, object.value)
      : { section: null, findings: [] },
  )
  const findings = computed<Finding[]>(() => {
    if (fault.value !== null) return []
    const of = document.value
    const start = pointer(...at.value)
    const ownFindings = [
      ...(of === null
        ? textFindings(text.value, 'layout/placement', 'the placement')
        : textFindings(text.value, of.id, `the draft of ${of.id}`)),
      ...checked.value.findings.map((finding) => ({ ...finding, path: start + finding.path })),
    ]
    const known = new Set(ownFindings.map(({ code, path }) => `${code} ${path}`))
    const sourceFindings = of === null ? [] : findingsOf(of)
    return [...ownFindings, ...sourceFindings.filter(({ code, path }) => !known.has(`${code} ${path}`))]
  })

  const items = computed(() => lookupItems(value.value))
  const picked = useListPosition(
    () => ({ of: pointer(layout.value, ids.value[section.at.value] ?? ''), ids: itemIds(value.value) }),
    -1,
  )
  /** The item that the controls set; null if no lookup field is placed. */
  const item = computed(() => {
    if (picked.gone.value !== null) return null
    return items.value.includes(picked.at.value) ? picked.at.value : (items.value[0] ?? null)
  })
  const inputs = computed(() => (item.value === null ? {} : inputsAt(value.value, item.value)))
  /** Why the controls are disabled now; empty if they are not. */
  const disabledReason = computed((): string => {
    const of = document.value
    if (of?.status === 'loading') return `Loading ${of.key}…`
    if (of !== null && of.status !== 'ready') return `${of.key} cannot be read.`
    if (of?.locked) return `You can read ${of.key} but not change it.`
    if (of?.saveState === 'conflict')
      return `There are two drafts of ${of.key}. Choose first which one to keep.`
    if (of?.removed) return `The draft removes ${of.key}. Undo the removal first.`
    if (fault.value !== null) return 'The text is not valid JSON; fix it there or undo.'
    if (!isSectionPresent.value) return 'This section does not exist.'
    if (picked.gone.value !== null) return 'The selected field no longer exists. Select another.'
    return item.value === null ? 'No lookup field is placed in this section.' : ''
  })

  function write(next: string): void {
    if (document.value === null) own.write(next)
    else document.value.typeText(next)
  }
  function set(name: LookupInput, to: InputValue | undefined): void {
    if (disabledReason.value !== '' || item.value === null) return
    picked.choose(item.value)
    const path = [...at.value, 'items', item.value, 'inputs', name]
    if (document.value === null) own.set(path, to)
    else document.value.setPath(path, to)
  }

  function chooseSection(next: number): void {
    section.choose(next)
    picked.choose(-1)
  }
  function chooseLayout(key: string, next = 0): void {
    layout.value = key
    chooseSection(next)
  }
  const pick = (next: number): void => {
    if (items.value.includes(next)) picked.choose(next)
  }
  function loadPlacement(place: PlacementLocation): void {
    located.value = true
    view.value = place.view
    const isThere = place.layout === layout.value && place.section === section.at.value
    if (!isThere) chooseLayout(place.layout, place.section)
  }
  /** Makes the separate section from the live field again. */
  function fromField(): void {
    chooseLayout('')
    own.fromField()
  }

  const where = {
    located,
    view,
    layout,
    section: section.at,
    gone: section.gone,
    there: isSectionPresent,
    at,
    document,
    sections,
    object,
  }
  const state = { text, fault, checked, findings, item, inputs, disabledReason }
  return { ...where, ...state, write, set, pick, chooseLayout, chooseSection, take: loadPlacement, fromField }
})
