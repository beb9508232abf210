# Bash reads this file before the command, because BASH_ENV names it.
# Standard error goes where standard output goes, so that the two stay in order, and the folder that the shell ends in is
# written to a descriptor of its own: 99, which no command uses.
exec 2>&1 99>&3 3>&-
trap 'pwd -P >&99 2>/dev/null' EXIT
unset BASH_ENV WORKSHOP_PRELUDE
