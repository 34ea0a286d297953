// What a finding says outside of the text of its component: in the words of the form, as the form itself does.
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
