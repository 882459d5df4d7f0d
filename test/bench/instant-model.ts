/** An OpenAI-compatible endpoint that answers at once, in a process of its own. Prints its port; ends with its parent's pipe. */

const ANSWER = JSON.stringify({
  id: 'instant',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: '{"tags": ["Tag 3", "Tag 17"]}' }, finish_reason: 'stop' }],
})

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    await request.text()
    return new Response(ANSWER, { headers: { 'Content-Type': 'application/json' } })
  },
})
process.stdout.write(`${server.port}\n`)
