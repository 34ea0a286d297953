// The placement that is edited: a section of a stored layout, whose edits go into its draft, or one of its own.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import type { LookupInput } from '#kernel/components/placeable-elements.ts'
import type { Finding } from '../../api/wire.ts'
import type { Document } from '../../stores/document.ts'
import { useDocuments } from '../../stores/documents.ts'
import { readLoosely } from '../../text/minimal-edit.ts'
import { asText, isObject } from '../../widgets/widget.ts'
import {
  below,
  checkSection,
  inputsAt,
  lookupItems,
  sectionWith,
  text as textOf,
  withInput,
} from './placement.ts'
import type { InputValue } from './shown-field.ts'
import { useGallery } from './use-gallery.ts'

export interface Place {
  view: 'field' | 'placement'
  /** Key of a stored layout; empty for a section of its own. */
  layout: string
  section: number
}

export function placeFrom({ view, layout, section }: Record<string, unknown>): Place {
  return {
    view: view === 'placement' ? 'placement' : 'field',
    layout: typeof layout === 'string' ? layout : '',
    section: /^\d{1,4}$/.test(String(section)) ? Number(section) : 0,
  }
}
export const placeQuery = ({ view, layout, section }: Place): Record<string, string> =>
  view === 'field' ? {} : { view, ...(layout === '' ? {} : { layout, section: String(section) }) }

const kept = 'almanac.lookup.placement'

export const usePlacement = defineStore('lookup-placement', () => {
  const gallery = useGallery()
  const documents = useDocuments()
  const view = ref<Place['view']>('field')
  const layout = ref('')
  const section = ref(0)
  /** As typed, JSON or not yet. */
  const text = ref('')
  const picked = ref(0)

  const document = computed<Document | null>(() =>
    layout.value === '' ? null : documents.of('layout', layout.value),
  )
  const sections = computed(() => {
    const found = document.value?.body.sections
    return Array.isArray(found) ? found : []
  })
  const stored = computed(() => sections.value[section.value])
  const object = computed(() => asText(document.value?.body.object) || 'object')

  // What is stored takes the place of what is shown, unless it says the same.
  watch(
    [view, layout, section, stored],
    () => {
      if (view.value === 'field') return
      if (document.value === null)
        text.value = sessionStorage.getItem(kept) ?? sectionWith(gallery.field.inputs)
      else if (document.value.status === 'ready' && !says(text.value, stored.value))
        text.value = stored.value === undefined ? '' : textOf(stored.value)
    },
    { immediate: true },
  )
  watch(document, (opened) => {
    picked.value = 0
    if (opened !== null && (opened.status === 'loading' || opened.keeping === 'kept')) void opened.load()
  })

  function write(next: string): void {
    text.value = next
    if (document.value === null) return sessionStorage.setItem(kept, next)
    const { value, faults } = readLoosely(next)
    if (faults.length === 0 && isObject(value) && !says(next, stored.value))
      document.value.setPath(['body', 'sections', section.value], value)
  }

  const checked = computed(() => checkSection(text.value, object.value))
  const findings = computed<Finding[]>(() => {
    const told = document.value === null ? [] : below(document.value.findings, section.value)
    const known = new Set(checked.value.findings.map(({ code, path }) => `${code} ${path}`))
    return [...checked.value.findings, ...told.filter(({ code, path }) => !known.has(`${code} ${path}`))]
  })

  const items = computed(() => lookupItems(text.value))
  /** The item that the controls set; null where no lookup field is placed. */
  const item = computed(() => items.value.find((at) => at === picked.value) ?? items.value[0] ?? null)
  const inputs = computed(() => (item.value === null ? {} : inputsAt(text.value, item.value)))
  const set = (name: LookupInput, value: InputValue | undefined): void => {
    if (item.value !== null) write(withInput(text.value, item.value, name, value))
  }

  function take(place: Place): void {
    view.value = place.view
    layout.value = place.layout
    section.value = place.section
  }
  /** A section of its own, made from the live field again. */
  function fromField(): void {
    layout.value = ''
    write(sectionWith(gallery.field.inputs))
  }

  const where = { view, layout, section, document, sections, object }
  return { ...where, text, picked, checked, findings, item, inputs, write, set, take, fromField }
})

const says = (written: string, value: unknown): boolean =>
  JSON.stringify(readLoosely(written).value) === JSON.stringify(value)
