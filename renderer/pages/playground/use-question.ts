// The question that the side asks and the page answers. It stands in the address, and waits while another page is shown.
import { defineStore } from 'pinia'
import { reactive, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { emptyQuestion, queryOf, questionFrom, type AskedQuestion } from './question.ts'

const useAsked = defineStore('question', () => ({ question: reactive<AskedQuestion>(emptyQuestion()) }))

export const useQuestion = (): AskedQuestion => useAsked().question

/** Takes the question of the address where it has one, and writes there what is asked from now on. */
export function useAddressedQuestion(): AskedQuestion {
  const route = useRoute()
  const router = useRouter()
  const question = useQuestion()
  if (Object.keys(route.query).length > 0) Object.assign(question, questionFrom(route.query))
  watch(question, (asked) => void router.replace({ path: '/playground', query: queryOf(asked) }), {
    immediate: Object.keys(queryOf(question)).length > 0,
  })
  return question
}
