// Which files the studio is built into. Each is a request, which costs more than its bytes: what starts, what pages
// share, the schemas of the component types, which few pages need, and each page.
import type { Rolldown } from 'vite'

type ModuleGraph = Pick<Rolldown.PluginContext, 'getModuleInfo'>
type Question = (id: string, graph: ModuleGraph) => boolean

const isMonaco = (id: string): boolean => id.includes('monaco-editor')
const isZod = (id: string): boolean => id.includes('/node_modules/zod/')
const isKernel = (id: string): boolean => id.includes('/server/kernel/')

/** Zod, what loads it in the kernel, and what only these import. */
const isForSchemas = memoized((id, graph) => {
  if (isZod(id)) return true
  const importers = graph.getModuleInfo(id)?.importers ?? []
  const onlyTheyImport = importers.length > 0 && importers.every((each) => isForSchemas(each, graph))
  return isKernel(id) && (onlyTheyImport || loadsZod(id, graph))
})

const loadsZod = memoized((id, graph) =>
  (graph.getModuleInfo(id)?.importedIds ?? []).some((each) => isZod(each) || loadsZod(each, graph)),
)

export const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'], priority: 4 },
  {
    // A chunk also contains what its modules import.
    name: (id, graph) => (isMonaco(id) || isForSchemas(id, graph) || loadsZod(id, graph) ? null : 'shared'),
    debugName: 'shared',
    minShareCount: 2,
    priority: 3,
  },
  { name: (id, graph) => (isForSchemas(id, graph) ? 'schemas' : null), debugName: 'schemas', priority: 2 },
  { name: (id) => /\/renderer\/pages\/([\w-]+)\//.exec(id)?.[1] ?? null, debugName: 'pages', priority: 1 },
]

/** Asks once per module. A question within its own answer, which a cycle is, gets false. */
function memoized(ask: Question): Question {
  const answers = new Map<string, boolean>()
  return (id, graph) => {
    if (!answers.has(id)) {
      answers.set(id, false)
      answers.set(id, ask(id, graph))
    }
    return answers.get(id)!
  }
}
