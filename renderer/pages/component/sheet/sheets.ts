// The open sheets, one per set, shared by all pages that show it.
import { defineStore } from 'pinia'
import type { SheetType } from '../../../api/sheet.ts'
import { useDocuments } from '../../../stores/documents.ts'
import { useOrg } from '../../../stores/org.ts'
import { openSheet, type OpenSheet } from './open-sheet.ts'

export const useSheets = defineStore('sheets', () => {
  const open = new Map<string, OpenSheet>()
  const org = useOrg()
  const documents = useDocuments()

  /** Returns the sheet of a set with these places; a new one if the set now declares different places. */
  function of(type: SheetType, set: string, places: readonly string[]): OpenSheet {
    const id = `${type}/${set}`
    const known = open.get(id)
    if (known !== undefined && known.sheet.hasPlaces(places)) return known
    void known?.saver.save()
    const newSheet = openSheet(type, set, places, {
      me: () => org.org?.me.key ?? '',
      onKept: () => {
        documents.savedAt = new Date()
        org.scheduleMarkChanged()
      },
    })
    open.set(id, newSheet)
    return newSheet
  }

  org.onDraft((event) => {
    for (const sheet of open.values()) sheet.handleDraftEvent(event)
  })
  window.addEventListener('pagehide', () => {
    for (const { saver } of open.values()) void saver.save()
  })
  return { of }
})
