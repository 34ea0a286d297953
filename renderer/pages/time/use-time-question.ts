// The question of the current page: it is in the URL, which follows typing and moving a moment later.
import { defineStore } from 'pinia'
import { onScopeDispose, ref, shallowRef, watch, type ShallowRef } from 'vue'
import { useRoute, useRouter, type LocationQuery } from 'vue-router'
import { timeAddress, timeQuestionFrom, type TimeQuestion } from './question.ts'

const pause = 120

/** The last URL, for a visit without one. */
const useLast = defineStore('time', () => ({ last: ref('') }))

export interface TimeQuestionState {
  question: Readonly<ShallowRef<TimeQuestion>>
  put: (change: Partial<TimeQuestion>) => void
}

export function useTimeQuestion(): TimeQuestionState {
  const route = useRoute()
  const router = useRouter()
  const store = useLast()
  const read = (): TimeQuestion =>
    timeQuestionFrom(route.params.set as string | undefined, route.query as LocationQuery)
  const question = shallowRef(read())
  const isTime = (path: string): boolean => /^\/time(\/|$)/.test(path)
  const here = (): boolean => isTime(route.path)
  let timer = 0

  function put(change: Partial<TimeQuestion>): void {
    question.value = { ...question.value, ...change }
    window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      timer = 0
      // The other side may have been focused in the meantime.
      if (here() && isTime(router.currentRoute.value.path)) void router.replace(timeAddress(question.value))
    }, pause)
  }
  watch(
    () => route.fullPath,
    (path) => {
      if (!here()) return
      if (timer === 0) question.value = read()
      if (question.value.set !== '') store.last = path
      else if (store.last !== '' && Object.keys(route.query).length === 0) void router.replace(store.last)
    },
    { immediate: true },
  )
  onScopeDispose(() => window.clearTimeout(timer))
  return { question, put }
}
