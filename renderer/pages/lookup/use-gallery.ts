// The state of the gallery for its side, its page and its controls: the field, its log, the part being inspected.
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import type { LookupInput } from '#kernel/components/placeable-elements.ts'
import type { LookupOption, LookupSearch } from '../../../elements/index.ts'
import { useCatalogue } from '../../stores/catalogue.ts'
import type { LookupSelection } from '../../widgets/lookup-element.vue'
import { keyedSets, type KeyedSet } from './keyed-sets.ts'
import type { PartName } from './parts.ts'
import { firstPreset, type Preset } from './presets.ts'
import { attributesOf, type Inputs, type InputValue, type ShownField } from './shown-field.ts'
import { noSource, sourcesOver, type Source } from './sources.ts'
import type { LiveFacts } from './live-facts.ts'
import { useGalleryLog } from './use-gallery-log.ts'
import { watchSource } from './watched-source.ts'

export const useGallery = defineStore('lookup-gallery', () => {
  const catalogue = useCatalogue()
  const log = useGalleryLog()
  const field = reactive<ShownField>({ inputs: {}, source: '', dir: 'ltr' })
  const search = shallowRef<LookupSearch | null>(null)
  /** A record of the source, for states that point at one. */
  const sample = shallowRef<LookupOption | null>(null)
  /** The part under the pointer, and the one that stays outlined. */
  const pointed = ref<PartName | null>(null)
  const pinned = ref<PartName | null>(null)
  const part = computed(() => pointed.value ?? pinned.value)
  const facts = shallowRef<LiveFacts>({ open: false, active: '', spoken: [] })
  /** The URL names nothing: the first state is shown, with a record as soon as one is found. */
  let first = false

  const keyed = computed<KeyedSet[]>((before) =>
    keyedSets(catalogue, field.source.replace(/^keys:/, ''), before),
  )
  const sources = computed(() => sourcesOver(keyed.value))
  const allSources = computed(() => [...sources.value.org, ...sources.value.samples])
  const source = computed<Source>(
    () =>
      allSources.value.find(({ id }) => id === field.source) ??
      (field.source === '' ? allSources.value[0]! : noSource(field.source)),
  )
  const isKnown = computed(() => allSources.value.includes(source.value))
  const attributes = computed(() => attributesOf(field.inputs))

  watch(
    [() => source.value.id, isKnown],
    ([id]) => {
      const made = source.value.make()
      search.value = watchSource(made, log.recordCall, () => performance.now(), log.nextId)
      sample.value = null
      void sampleOf(source.value.make()).then((found) => {
        if (source.value.id !== id) return
        sample.value = found
        if (first) show(firstPreset)
      })
    },
    { immediate: true },
  )

  /** A plain field over a source: named after its rows, with a second line. */
  const plain = ({ noun, fields }: Source): Inputs => ({
    label: noun,
    ...(fields === '' ? {} : { displayFields: fields }),
  })

  function set(name: LookupInput, value: InputValue | undefined): void {
    first = false
    const { [name]: _old, ...others } = field.inputs
    field.inputs = value === undefined ? others : { ...others, [name]: value }
  }

  function point(chosen: LookupSelection | null): void {
    first = false
    const { value: _value, display: _display, href: _href, ...others } = field.inputs
    field.inputs =
      chosen === null
        ? others
        : {
            ...others,
            ...{ value: chosen.value, display: chosen.label },
            ...(chosen.href === null ? {} : { href: chosen.href }),
          }
  }

  /** Attributes of a state over the current source. */
  function inputsOf({ inputs, linked }: Preset): Inputs {
    const record = linked === undefined ? null : sample.value
    return {
      ...plain(source.value),
      ...(record === null ? {} : { value: record.value, display: record.label }),
      ...(record?.href !== undefined && linked === 'link' ? { href: record.href } : {}),
      ...inputs,
    }
  }

  function show(preset: Preset): void {
    first = false
    field.inputs = inputsOf(preset)
  }

  /** Changes the source: the field is named after it, and points at no record of the old one. */
  function choose(id: string): void {
    const old = plain(source.value)
    field.source = id
    field.dir = id === 'rtl' ? 'rtl' : 'ltr'
    const next = plain(source.value)
    point(null)
    const { matchFields: _match, ...inputs } = field.inputs
    for (const name of ['label', 'displayFields'] as const)
      if (inputs[name] === old[name]) inputs[name] = next[name]
    field.inputs = inputs
  }

  function loadField(shownField: ShownField | null): void {
    if (shownField === null) {
      field.source = source.value.id
      show(firstPreset)
      first = sample.value === null
    } else Object.assign(field, { ...shownField, source: shownField.source || source.value.id })
  }

  const over = { field, search, sources, source, isKnown, attributes, facts }
  return { ...over, pointed, pinned, part, set, point, inputsOf, show, choose, take: loadField }
})

/** The first record that a source returns; null if none exists, or if it takes too long. */
async function sampleOf(search: LookupSearch): Promise<LookupOption | null> {
  try {
    const signal = AbortSignal.timeout(3000)
    const answer = await search('', { matchFields: [], displayFields: [], signal })
    const options = 'options' in answer ? answer.options : answer
    return options[0] ?? null
  } catch {
    return null
  }
}
