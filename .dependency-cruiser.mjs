// The house rules of the import graph (docs/architecture.md). test/house/dependency-rules.test.ts plants a breach of each.

const tests = '\\.test\\.ts$'
const kernelLibraries = ['zod', 'decimal\\.js', '@noble/hashes', '@noble/curves', '@marcbachmann/cel-js']
const kernelLibrary = `^node_modules/(${kernelLibraries.join('|')})/`
const feature = '^server/[^/]+/'
const notFeatures = '^server/(kernel|wire|ports|storage|http|cli|compose)/'
const wiring = '^server/(index|cli)\\.ts$|^server/(cli|compose)/'
const door = '^server/[^/]+/index\\.ts$'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'kernel-is-pure',
      comment: 'The kernel imports itself and its few pure libraries only.',
      severity: 'error',
      from: { path: '^server/kernel/', pathNot: tests },
      to: { pathNot: ['^server/kernel/', kernelLibrary] },
    },
    {
      name: 'wire-imports-the-kernel-only',
      comment:
        'The shapes that cross HTTP are the same in server, command line and page. They know no engine.',
      severity: 'error',
      from: { path: '^server/wire/', pathNot: tests },
      to: { pathNot: ['^server/(wire|kernel)/', kernelLibrary] },
    },
    {
      name: 'ports-know-shapes-only',
      comment:
        'A port is an interface over types of kernel and wire. It knows no engine and no library that implements it.',
      severity: 'error',
      from: { path: '^server/ports/', pathNot: tests },
      // Contexts of asynchronous work are part of the language more than of the machine.
      to: { pathNot: ['^server/(ports|wire|kernel)/', kernelLibrary, '^(node:)?async_hooks$'] },
    },
    {
      name: 'callouts-outside-transactions',
      comment:
        'Only the wiring mints the capability to call out, for the outbox worker and for standalone operations.',
      severity: 'error',
      from: {
        path: '^(server|main|renderer|elements)/',
        pathNot: ['^server/compose/', '^server/callouts/callouts\\.ts$', tests],
      },
      to: { path: '^server/ports/outside-transaction\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-below-http',
      comment:
        'A feature knows kernel, wire, ports and other features. HTTP and the wiring know the feature.',
      severity: 'error',
      from: { path: feature, pathNot: [notFeatures, tests] },
      to: { path: ['^server/http/', wiring] },
    },
    {
      name: 'http-below-compose',
      comment: 'HTTP receives what server/compose/ wired. It does not fetch it.',
      severity: 'error',
      from: { path: '^server/http/', pathNot: tests },
      to: { path: wiring },
    },
    {
      name: 'storage-implements-ports',
      comment: 'Storage knows ports, wire and the kernel. It knows no engine.',
      severity: 'error',
      from: { path: '^server/storage/', pathNot: tests },
      to: { path: '^server/', pathNot: '^server/(storage|ports|wire|kernel)/' },
    },
    {
      name: 'only-compose-imports-storage',
      comment: 'Everybody else receives storage through a port.',
      severity: 'error',
      from: {
        path: '^(server|main|renderer|elements)/',
        pathNot: ['^server/storage/', '^server/compose/', tests],
      },
      to: { path: '^server/storage/' },
    },
    {
      name: 'one-door-to-drafts',
      comment: 'Drafts are read and written through server/pipeline/draft-access.ts, which checks sight.',
      severity: 'error',
      from: {
        path: '^(server|main|renderer|elements)/',
        pathNot: [
          '^server/storage/',
          '^server/ports/org-store\\.ts$',
          '^server/pipeline/draft-access\\.ts$',
          tests,
        ],
      },
      to: { path: '^server/ports/draft-table\\.ts$' },
    },
    {
      name: 'features-enter-by-the-door',
      comment: 'A feature is entered through its index.ts only.',
      severity: 'error',
      from: { path: '^server/([^/]+)/', pathNot: notFeatures },
      to: { path: feature, pathNot: ['^server/$1/', notFeatures, door] },
    },
    {
      name: 'outside-enters-by-the-door',
      comment: 'HTTP, the command line and the wiring enter a feature through its index.ts too.',
      severity: 'error',
      from: { path: ['^server/http/', wiring, '^main/'], pathNot: tests },
      to: { path: feature, pathNot: [notFeatures, door] },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that need one another are one module, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'renderer-reaches-the-server-by-http',
      comment: 'Of ours the renderer imports #kernel, #wire, elements and the types of the IPC map.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: tests },
      to: { path: '^(server|main|test)/', pathNot: ['^server/(kernel|wire)/', '^main/ipc-map\\.ts$'] },
    },
    {
      name: 'renderer-takes-types-of-main',
      comment: 'The IPC map is types; nothing of main runs in the page.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^main/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-has-no-node',
      comment: 'Renderer and elements run in a page.',
      severity: 'error',
      from: { path: '^(renderer|elements)/', pathNot: ['^elements/build/', tests] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'elements-import-nothing-of-ours',
      comment: 'A web component that anyone can take away.',
      severity: 'error',
      from: { path: '^elements/', pathNot: tests },
      to: { path: '^(server|main|renderer|test)/' },
    },
    {
      name: 'server-knows-no-desktop',
      comment: 'The same server runs headless.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(main|renderer|elements)/|^(node_modules/)?electron(/|$)' },
    },
    {
      name: 'main-is-thin',
      comment:
        'Main starts the server in a utility process; only that process imports it, through its front door. Of the rest main knows what the server asks it about secrets, and the list of commands.',
      severity: 'error',
      from: { path: '^main/', pathNot: tests },
      to: {
        path: '^(server|renderer|elements)/',
        pathNot: ['^server/(index|ports/secret-custody)\\.ts$', '^renderer/frame/commands\\.ts$'],
      },
    },
    {
      name: 'studio-opens-without-schemas',
      comment: 'The schemas of the component types are large, and only a few places of the studio need them.',
      severity: 'error',
      from: {
        path: '^renderer/',
        pathNot: [
          '^renderer/editor/monaco\\.ts$',
          '^renderer/pages/lookup/placement\\.ts$',
          '^renderer/stores/unreadable-drafts\\.ts$',
          tests,
        ],
      },
      to: {
        path: [
          '^server/kernel/components/(registry|parse|json-schema|placement-schema)\\.ts$',
          '^server/kernel/components/[^/]+/(index|body)\\.ts$',
          '^server/kernel/(change|config)/index\\.ts$',
          '^node_modules/zod/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'commands-are-data',
      comment: 'The list of commands runs in the page and in the desktop process.',
      severity: 'error',
      from: { path: '^renderer/frame/(commands|navigation)\\.ts$' },
      to: {
        pathNot: '^renderer/frame/(commands|navigation)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'main-window-process-runs-no-server',
      comment: 'The process that holds the window never holds the server.',
      severity: 'error',
      from: { path: '^main/', pathNot: ['^main/server-process\\.ts$', tests] },
      to: { path: '^server/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'products-do-not-import-tests',
      comment: 'What a person runs holds no test support.',
      severity: 'error',
      from: { path: '^(server|main|renderer|elements)/', pathNot: tests },
      to: { path: ['^test/', tests] },
    },
    {
      name: 'no-development-dependency-at-run-time',
      comment: 'The server and main run with dependencies only; the renderer is bundled.',
      severity: 'error',
      from: { path: '^(server|main)/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/(electron|@types)/',
      },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      // The types for frameworks belong to the built package, which a fresh clone does not hold.
      from: { pathNot: '^elements/frameworks/' },
      // Electron resolves "electron/main" itself; Vite resolves its own queries.
      to: { couldNotResolve: true, pathNot: ['^electron/(main|renderer)$', '\\?(worker|raw|url|inline)$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|dist|node_modules/\\.cache)/|\\.md$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
