// The rooms of the component types: titles, forms, schemas, help. They do not change while the server runs.
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { fetchRooms } from '../api/org.ts'
import type { ComponentType, Room } from '../api/wire.ts'

export const useRooms = defineStore('rooms', () => {
  const rooms = shallowRef<Room[]>([])
  const byType = computed(() => new Map(rooms.value.map((room) => [room.type, room])))
  let loading: Promise<void> | null = null

  function load(): Promise<void> {
    loading ??= fetchRooms().then(
      (found) => {
        rooms.value = found
      },
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }

  const room = (type: ComponentType): Room | undefined => byType.value.get(type)
  return { rooms, room, load }
})
