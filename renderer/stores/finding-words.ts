// The words of a finding outside of the text of its component: in the terms of the form, as the form itself shows it.
import { splitId } from '#kernel/components/component.ts'
import type { ComponentId, Finding } from '../api/wire.ts'
import { inFormWords } from '../text/form-words.ts'
import { useRooms } from './rooms.ts'

export function useFindingWords(): (finding: Finding) => string {
  const rooms = useRooms()
  return (finding) => {
    const room = rooms.room(splitId(finding.component as ComponentId).type)
    return room === undefined ? finding.message : inFormWords(room.form, finding).message
  }
}
