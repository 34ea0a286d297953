// The question that the side edits and the page answers. It is in the URL, and is kept while another page is shown.
import { defineStore } from 'pinia'
import { reactive, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { emptyQuestion, queryOf, questionFrom, type AskedQuestion } from './question.ts'

const useQuestionStore = defineStore('question', () => ({
  question: reactive<AskedQuestion>(emptyQuestion()),
}))

export const useQuestion = (): AskedQuestion => useQuestionStore().question

/** Takes the question from the URL if it has one, and writes later edits there. */
export function useRouteQuestion(): AskedQuestion {
  const route = useRoute()
  const router = useRouter()
  const question = useQuestion()
  if (Object.keys(route.query).length > 0) Object.assign(question, questionFrom(route.query))
  watch(
    question,
    (newQuestion) => void router.replace({ path: '/playground', query: queryOf(newQuestion) }),
    {
      immediate: Object.keys(queryOf(question)).length > 0,
    },
  )
  return question
}
