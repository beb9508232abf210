import { MAX_SLEEP_SECONDS, sleepProblem } from '#08-bash/sleep.ts'
import { describe, expect, it } from '#support/test.ts'

describe('task 5: sleepProblem', () => {
  it.for([
    ['sleep 60', 'a sleep alone'],
    ['sleep 60 && cat log', 'a sleep and then a look'],
    ['sleep 60; cat log', 'the same with a semicolon'],
    ['sleep 60\ncat log', 'the same on two lines'],
    ['sleep 60 > /dev/null', 'a sleep with a redirection'],
    ['(sleep 60; ls)', 'a sleep in parentheses'],
    ['{ sleep 60; }', 'a sleep in braces'],
    ['# wait\nsleep 60', 'a sleep below a comment'],
    ['sleep 1m', 'a minute in another unit'],
    ['sleep 1 1 1', 'a sum'],
    ['sleep infinity', 'a sleep for ever'],
    ['sleep 2.5', 'a fraction above the limit'],
  ])('refuses %s (%s)', ([command]) => {
    expect(sleepProblem(command)).toMatch(/sleep/i)
    expect(sleepProblem(command), 'say what to do instead').toMatch(/run_in_background/)
  })

  it.for([
    ['while true; do sleep 1; done', 'for ever'],
    ['while ! test -f done; do sleep 0.5; done; cat done', 'until a file is there'],
    ['until curl -s localhost:3000; do sleep 2; done', 'until a server answers'],
    ['for i in 1 2 3; do curl localhost; sleep 1; done', 'a few times'],
    ['for ((i = 0; i < 9; i++)); do sleep 1; done', 'counting'],
    ['npm start & while ! curl localhost; do sleep 1; done', 'behind another command'],
    ['ls && (while :; do date; sleep 9; done)', 'inside parentheses'],
    ['while :; do sleep $N; done', 'for an unknown time'],
  ])('refuses the loop %s (%s)', ([command]) => {
    expect(sleepProblem(command)).toMatch(/sleep/i)
    expect(sleepProblem(command), 'say what to do instead').toMatch(/run_in_background/)
  })

  it.for([
    ['sleep 1', 'short'],
    [`sleep ${MAX_SLEEP_SECONDS}`, 'just as long as it may be'],
    ['sleep 0.5 && curl localhost', 'short, with a look behind it'],
    ['sleep 60 | cat', 'in a pipeline'],
    ['echo a; sleep 60', 'not first'],
    ['sleep 60 & echo $!', 'in the background'],
    ['sleep $N', 'of unknown length'],
    ['echo sleep 60', 'only the word'],
    ['grep "sleep 60" f', 'in quotes'],
    ['while read -r line; do echo "$line"; done < f', 'a loop without a sleep'],
    ['for f in a b; do cat $f; done; sleep 60', 'behind a loop'],
    ['! sleep 60', 'behind a negation'],
    ['while sleep 5; do date; done', 'in the condition of a loop'],
    ['if sleep 60; then date; fi', 'in another condition'],
    ['sleep "', 'no command at all'],
  ])('lets %s pass (%s)', ([command]) => {
    expect(sleepProblem(command)).toBeUndefined()
  })
})
