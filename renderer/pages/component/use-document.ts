// The document of a component while a page shows it: loaded, reloaded on events, and saved when the page closes.
import { onBeforeUnmount, watch } from 'vue'
import type { ComponentType } from '../../api/wire.ts'
import type { Document } from '../../stores/document.ts'
import { useDocuments } from '../../stores/documents.ts'
import { useOrg } from '../../stores/org.ts'

export function useDocument(type: ComponentType, key: string): Document {
  const document = useDocuments().of(type, key)
  const org = useOrg()
  if (document.status === 'loading' || document.saveState === 'kept') void document.load()
  watch(
    () => org.epoch,
    () => document.refresh(),
  )
  onBeforeUnmount(() => void document.save())
  return document
}
