#!/bin/sh
# What comb-reduce keeps: a program with a gather. Status 1 means interesting.
! grep -q soac.gather "$1"
