// A new record that refers to the record from whose page it is added: `?via=<reference>&of=<id>`.
import { computed, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute } from 'vue-router'
import type { FieldDescription, ObjectDescription, RecordValue } from '../../api/records.ts'
import { useOrg } from '../../stores/org.ts'
import { useRecordPlaces } from './record-places.ts'
import { nameOfRecord } from './record-source.ts'

interface NewRecord {
  object: Readonly<Ref<ObjectDescription | null>>
  isNew: Readonly<Ref<boolean>>
  change(field: FieldDescription, value: RecordValue, display?: string): void
}

export interface Preset {
  /** The page of the other record; null without one. */
  back: ComputedRef<string | null>
  /** Enters the reference again. */
  enter(): Promise<void>
}

/** Enters the reference once the object is known. */
export function usePreset({ object, isNew, change }: NewRecord): Preset {
  const route = useRoute()
  const org = useOrg()
  const places = useRecordPlaces()
  const reference = computed(() => {
    const { via, of } = route.query
    if (!isNew.value || typeof via !== 'string' || typeof of !== 'string') return null
    const field = object.value?.fields.find(({ key }) => key === via)
    return field?.references == null ? null : { field, target: field.references, id: of }
  })

  const shown = (): string =>
    reference.value === null ? '' : `${reference.value.field.key} ${reference.value.id}`
  async function enter(): Promise<void> {
    if (reference.value === null) return
    const now = shown()
    const { field, target, id } = reference.value
    change(field, id)
    // The id is shown for a record whose name cannot be read.
    const terms = { epoch: org.epoch, app: places.value.app }
    const name = await nameOfRecord(target, id, terms).catch(() => id)
    if (shown() === now) change(field, id, name)
  }
  watch(shown, enter, { immediate: true })
  return {
    back: computed(() =>
      reference.value === null ? null : places.value.record(reference.value.target, reference.value.id),
    ),
    enter,
  }
}
